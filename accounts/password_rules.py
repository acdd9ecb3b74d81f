"""Password validators: Django's, which say what is wrong in our words."""

from django.contrib.auth import password_validation

CHOOSE_ANOTHER = "Please choose another one."


class SimilarityValidator(password_validation.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return f"This password is too much like your name or e-mail address. {CHOOSE_ANOTHER}"


class LengthValidator(password_validation.MinimumLengthValidator):
    def get_error_message(self) -> str:
        return f"This password is too short. Use at least {self.min_length} characters."


class CommonPasswordValidator(password_validation.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return f"This password is too common. {CHOOSE_ANOTHER}"

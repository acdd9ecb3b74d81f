# Short names for the daily commands; each also works without make.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: run test check bench

run:
	$(PYTHON) manage.py up

test:
	$(PYTHON) manage.py test

check:
	$(PYTHON) manage.py setup --dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	HTTPS=1 ALLOWED_HOSTS=cards.example SECRET_KEY=$$($(BIN)/python -c "import secrets; print(secrets.token_urlsafe(64))") \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

bench:
	$(PYTHON) manage.py bench

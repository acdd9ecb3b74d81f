"""What other apps may listen to."""

from django.dispatch import Signal

# A guest has logged in to an account that existed before: `guest` and `user`, inside the transaction.
# Receivers hand over what the guest owned, where it does not clash with what the account has.
guest_joined = Signal()

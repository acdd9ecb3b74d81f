"""What other apps may listen to."""

from django.dispatch import Signal

# What somebody has a part in is about to change: `user`, inside the transaction and before any other row is locked.
# Receivers lock it, in the order that all services keep: events, tables, each by number, and only then people.
account_changes = Signal()

# A guest has logged in to an account that existed before: `guest` and `user`, inside the transaction.
# Receivers hand over what the guest owned, where it does not clash with what the account has.
guest_joined = Signal()

# Somebody wants all that the site keeps of him: `user`. Receivers answer with parts of it, by name, as plain JSON
# types. Of games that go on it holds only what he may see there.
data_export_requested = Signal()

# Somebody has closed the account: `user`, who is `accounts.models.FORMER` to everybody from now on, and the `name` that
# he had; inside the transaction. Receivers end what he has begun, delete what is his alone, and take the name from
# texts.
account_closed = Signal()

# All sessions of somebody have ended, but perhaps the one in which he did that: `user`.
sessions_ended = Signal()

# A moderator has shut an account, perhaps not for ever: `user`, inside the transaction. Receivers end what waits for
# him.
account_suspended = Signal()

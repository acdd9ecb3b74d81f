"""Signals of accounts: merge, data export, closing, suspension, second factors."""

from django.dispatch import Signal

# The rows of `users` are about to change, inside the transaction, in which only they are locked so far. Receivers lock
# what these users take part in, in the order that all services keep: people, events, seeks, tables.
account_changes = Signal()

# A guest has logged in to an existing account: `guest` and `user`, inside the transaction. Receivers move what the
# guest owned to the account, except what clashes with what the account has.
guest_joined = Signal()

# Data export: `user` wants everything that the site stores about them. Receivers return parts of it, by name, as plain
# JSON types; of running games only what the user may see there.
data_export_requested = Signal()

# An account was closed: `user`, who is `accounts.models.FORMER` to others from now on, and the `name` they had; inside
# the transaction. Receivers end what the user has begun, delete what is theirs alone, and take the name from texts.
account_closed = Signal()

# All sessions of `user` have ended, except perhaps the one in which the user asked for that.
sessions_ended = Signal()

# A moderator has suspended the account of `user`, perhaps not for ever; inside the transaction. Receivers end what
# waits for the user.
account_suspended = Signal()

# A token of `user` was revoked, so their streams have to ask again whether they may go on.
token_revoked = Signal()

# What `user` needs to log in has changed: `change` says it in one sentence, such as "A passkey was added."
second_factors_changed = Signal()

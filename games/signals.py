"""What other apps may listen to."""

from django.dispatch import Signal

# All seats of a table are taken and the cards are dealt: `table_id`, sent once that is stored. It may be lost.
table_started = Signal()

# A table has ended in any way: `table_id`, sent once the end is stored. It may be lost with the process,
# so whoever depends on it also looks for ended tables from time to time.
table_finished = Signal()

# Somebody's time was up, and the game waits, or goes on with a bot, until he is back: `table_id`.
player_late = Signal()

# People who did not wait for it on a page have a game: `table_id`, `user_ids`.
game_found = Signal()

# It has become somebody's turn who may look elsewhere, in a game over days or without a connection: `table_id`,
# `user_ids`, none where a turn in a game over days is only over. It may be lost.
turn_came = Signal()

# Somebody has asked the others at a table for something, or such a question was answered: `table_id`.
question_changed = Signal()

# Little is left of somebody's turn of days: `table_id`, `user_id`, and `deadline`, when it falls. Once for each such
# turn; it may be lost.
time_short = Signal()

# Somebody is challenged; somebody has answered, or let the time pass: `challenge_id`.
challenged = Signal()
challenge_answered = Signal()

# Somebody wants everybody to read a note to a move: `author`. Receivers raise `GameError` if he may not.
note_shown = Signal()

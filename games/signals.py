"""Signals of games for other apps. Some may be lost with the process: receivers also check from time to time."""

from django.dispatch import Signal

# All seats of a table are taken and the cards are dealt: `table_id`, sent once that is stored. It may be lost.
table_started = Signal()

# Another process, or this one, has stored a move: `channel` of the table, its new `version`, and `stored`
# (`games.record.changes`). Sent in the event loop to processes that hear the channel; it may be lost.
table_stored = Signal()

# A table has ended in any way: `table_id`, sent once the end is stored. It may be lost with the process,
# so receivers that depend on it also look for ended tables from time to time.
table_finished = Signal()

# A player's time was up, and the game waits, or goes on with a bot, until they are back: `table_id`.
player_late = Signal()

# People who did not wait for it on a page have a game: `table_id`, `user_ids`.
game_found = Signal()

# It has become the turn of players who may be elsewhere, in a game over days or without a connection: `table_id`,
# `user_ids`, none where a turn in a game over days is only over. It may be lost.
turn_came = Signal()

# It has become the turn of bots that people run: `table_id`, `user_ids`. It may be lost.
bot_turn_came = Signal()

# A player has asked the others at a table for something, or such a question was answered: `table_id`.
question_changed = Signal()

# Little is left of a player's turn of days: `table_id`, `user_id`, and `deadline`, when it ends. Once for each such
# turn; it may be lost.
time_short = Signal()

# The rules have refused a player's move, or told a player why a selection is none: `user_id`, and `rule`, its full id.
# Never sent by the fast path of moves. It may be lost.
move_refused = Signal()

# A challenge was sent; one was answered, or has expired: `challenge_id`.
challenged = Signal()
challenge_answered = Signal()

# A user publishes a note on a move: `author`. Receivers raise `GameError` if they may not.
note_shown = Signal()

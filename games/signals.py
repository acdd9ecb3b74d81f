"""What other apps may listen to."""

from django.dispatch import Signal

# A table has ended in any way: `table_id`, sent once the end is stored. It may be lost with the process,
# so whoever depends on it also looks for ended tables from time to time.
table_finished = Signal()

# Somebody's time was up, and the game waits, or goes on with a bot, until he is back: `table_id`.
player_late = Signal()

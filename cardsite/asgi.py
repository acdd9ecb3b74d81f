import gc
import os

from cardsite.handler import get_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")

application = get_application()

# What is loaded by now stays for good. What is made from now on is looked through soon and once, a few milliseconds at
# a time: to look through all of it, every few seconds, would stop every table for half a second.
gc.collect()
gc.freeze()
gc.set_threshold(2_000, 500, 100)

import gc
import os

from django import setup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")
setup(set_prefix=False)

from cardsite.web.handler import Handler  # noqa: E402  after `setup`: it imports models
from infra.release import release  # noqa: E402

release()  # of the code that runs here, whatever files an update puts there later
application = Handler()

# What is loaded by now stays for good. What is made from now on is looked through soon and once, a few milliseconds at
# a time: to look through all of it, every few seconds, would stop every table for half a second.
gc.collect()
gc.freeze()
gc.set_threshold(2_000, 500, 100)

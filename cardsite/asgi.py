import gc
import os

from cardsite.handler import get_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")

application = get_application()

# What is loaded by now stays for good, and a request makes thousands of objects that do not: looking through all of
# them as often as Python does by itself takes a sixth of the processor.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)

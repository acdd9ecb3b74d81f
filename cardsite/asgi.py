import os

from django import setup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")
setup(set_prefix=False)

from cardsite.web.handler import Handler  # noqa: E402  after `setup`: it imports models
from cardsite.web.request_ids import RequestIds  # noqa: E402
from infra.garbage import freeze_what_is_loaded  # noqa: E402
from infra.release import release  # noqa: E402
from infra.tracing import start as start_tracing  # noqa: E402

release()  # of the code that runs here, whatever files an update puts there later
application = RequestIds(Handler())
start_tracing()
freeze_what_is_loaded()

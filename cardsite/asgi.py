import os

from cardsite.handler import get_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")

application = get_application()

"""Starts, watches and stops the processes of the site on one machine, for `manage.py up` and the tests."""

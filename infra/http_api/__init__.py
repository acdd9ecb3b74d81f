"""HTTP API: what all its operations share and that knows no app: problems, cursor pages, stored answers.

`accounts.api_access` checks who asks; each app has its operations in `api`; `cardsite.api` joins them.
"""

API_PATH = "/api/"
VERSION_PATH = "/api/v1/"

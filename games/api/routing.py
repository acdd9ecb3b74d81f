"""Router of the operations of this app: one, since operations of several modules share addresses."""

from ninja import Router

router = Router()

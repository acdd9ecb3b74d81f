"""Router of the operations about tournaments: one, since operations of several modules share addresses."""

from ninja import Router

router = Router()

from django.urls import include, path

from games import rating_views, views

app_name = "games"

table_urls = [
    path("", views.table, name="table"),
    path("board/", views.board, name="board"),
    path("events/", views.table_events, name="table-events"),
    path("moves/", views.move, name="move"),
    path("check/", views.check, name="check"),
    path("sit/", views.sit, name="sit"),
    path("bot/", views.add_bot, name="add-bot"),
    path("leave/", views.leave, name="leave"),
    path("back/", views.come_back, name="come-back"),
    path("rematch/", views.rematch, name="rematch"),
    path("result/", views.result, name="result"),
    path("replay/", views.replay_move, name="replay"),
    path("verify/", views.verify, name="verify"),
    path("verify/deals.json", views.deals_json, name="deals-json"),
]

urlpatterns = [
    path("games/", views.index, name="index"),
    path("games/<slug:slug>/", views.game, name="game"),
    path("games/<slug:slug>/ratings/", rating_views.leaderboard_page, name="leaderboard"),
    path("play/", views.lobby, name="lobby"),
    path("play/tables/", views.lobby_tables, name="lobby-tables"),
    path("play/events/", views.lobby_events, name="lobby-events"),
    path("play/now/", views.play_now, name="play-now"),
    path("play/mine/", views.mine, name="mine"),
    path("tables/<slug:code>/", include(table_urls)),
]

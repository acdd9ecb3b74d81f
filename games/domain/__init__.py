"""What tables need beside rules, without Django: clocks, ratings, matchmaking, statistics of shuffles, wording."""

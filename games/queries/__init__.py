"""What can be asked about tables and players. Nothing here changes anything."""

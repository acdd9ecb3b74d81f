// The version rule, the pure part: an older board never replaces a newer one, because a slow answer must not put the table
// back. The same version replaces it only as the answer to the player's own request, such as a refusal: fetched again, it
// would only draw all cards again.
export function replaces(incoming, shown, isOwn) {
  return incoming > shown || (incoming === shown && isOwn);
}

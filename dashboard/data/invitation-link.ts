const KEPT = 'upbeat-invitation'

/**
 * The secret of an invitation's link, which stands behind the `#`. It is taken out of the address at once, and kept
 * in this tab alone, so that it survives the way over a sign-in page.
 */
export function takeInvitationToken(): string | null {
  const found = location.hash.slice(1)
  if (found !== '') {
    sessionStorage.setItem(KEPT, found)
    history.replaceState(history.state, '', location.pathname)
  }
  return sessionStorage.getItem(KEPT)
}

export function forgetInvitationToken(): void {
  sessionStorage.removeItem(KEPT)
}

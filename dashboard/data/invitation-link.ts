const KEPT = 'upbeat-invitation'

/**
 * The secret in an invitation link, after the `#`. It is removed from the address at once and kept in this tab alone,
 * so that it survives a detour over the sign-in page.
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

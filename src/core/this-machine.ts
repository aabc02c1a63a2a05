/** Whether the host of an address is this machine: what goes there crosses no network. */
export function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(hostname)
}

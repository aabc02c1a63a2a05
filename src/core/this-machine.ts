/** Whether a host is this machine, so that traffic to it stays off the network. */
export function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(hostname)
}

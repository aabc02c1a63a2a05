/*
 * The causes of checks that ask name servers. They are stable, as those of ./cause.ts.
 */

export function dnsNoName(name: string): string {
  return `DNS: ${name} does not exist`
}

export function dnsNoRecords(name: string, type: string): string {
  return `DNS: ${name} has no ${type} record`
}

/** `code` is a DNS response code: SERVFAIL, REFUSED. */
export function dnsFailed(name: string, code: string): string {
  return `DNS: ${code} for ${name}`
}

export function dnsUnproven(name: string): string {
  return `DNS: the answer for ${name} is not authenticated (no AD flag)`
}

export function dnsInvalid(server: string): string {
  return `DNS: invalid answer from ${server}`
}

export function dnsHungUp(server: string): string {
  return `DNS: ${server} closed the connection without an answer`
}

export function dnsUnaskable(name: string): string {
  return `DNS: ${name} cannot be asked for`
}

/** Of a name server over HTTPS, whose answer is another one than 200. */
export function dnsStatus(status: number): string {
  return `DNS: HTTP ${status} (expected 200)`
}

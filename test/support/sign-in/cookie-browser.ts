import { assertAgreed } from '../documents/agreed.ts'
import type { Answer } from '../services/asked-service.ts'
import { ask } from '../services/http.ts'

/**
 * Asks as a page of the service does: from its own origin, with the cookies that it was given; follows nothing.
 * A service that believes its proxy sees an address that is this browser's alone.
 */
export type Browser = {
  /** The address that its requests come from. */
  address: string
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The cookies it would send, each as `name=value`. */
  cookie(): string
}

let addresses = 0

/** An address that nobody else in this process has, for `x-forwarded-for`: limits are per address. */
export function clientAddress(): string {
  addresses++
  return `198.18.${addresses >> 8}.${addresses & 255}`
}

export function openBrowser(url: string, userAgent = 'Browser of the tests'): Browser {
  const address = clientAddress()
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    address,
    async send(method, path, body, headers = {}) {
      const told = await ask(url + path, {
        method,
        headers: {
          origin: url,
          'user-agent': userAgent,
          'x-forwarded-for': address,
          ...(jar.size > 0 && { cookie: `other=1; ${cookie()}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      assertAgreed({ method, path, ...told })
      for (const given of told.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(given) ?? []
        if (/; Max-Age=0$/.test(given)) jar.delete(name)
        else jar.set(name, value)
      }
      const isJson = told.headers.get('content-type')?.includes('json')
      return {
        status: told.status,
        headers: told.headers,
        body: isJson && told.text ? JSON.parse(told.text) : told.text,
      }
    },
    cookie,
  }
}

import type { Answer } from './service.ts'

/** Asks as a page of the service does: from its own origin, with the cookie that it was given last. */
export type Browser = {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  cookie(): string
}

export function openBrowser(url: string, userAgent = 'Browser of the tests'): Browser {
  let cookie = ''
  return {
    async send(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          origin: url,
          'user-agent': userAgent,
          ...(cookie && { cookie: `other=1; ${cookie}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const given = response.headers.get('set-cookie')
      if (given !== null) cookie = /^[^;]*/.exec(given)?.[0] ?? ''
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return {
        status: response.status,
        headers: response.headers,
        body: isJson && text ? JSON.parse(text) : text,
      }
    },
    cookie: () => cookie,
  }
}

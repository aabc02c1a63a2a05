import type { Living } from '../living.ts'

/** A form as a page of the service sends it. */
export function form(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Living {
  return {
    name: `form ${path.split('/')[1]}`,
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    bytes: Buffer.from(new URLSearchParams(fields).toString()),
  }
}

export function page(path: string, headers: Record<string, string> = {}): Living {
  return { name: `page ${path.split('/')[1]}`, method: 'GET', path, headers }
}

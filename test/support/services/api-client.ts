import type { Role } from '../../../src/core/teams/access.ts'
import type { Answer, AskedService } from './asked-service.ts'

/** A member of this many requests is followed by the next one: the limit is 60 a minute for each. */
const REQUESTS_PER_MEMBER = 50

/** Asks as a member of a team, by as many members of that role as the rate limit makes necessary. */
export type ApiClient = {
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A token that may be used once more, for requests that are not made here. */
  token(): Promise<string>
}

export function apiClient(service: AskedService, teamId: number, role: Role = 'owner'): ApiClient {
  let left = 0
  let current: Promise<string>
  const token = () => {
    if (left === 0) {
      current = service.createToken(teamId, role)
      left = REQUESTS_PER_MEMBER
    }
    left--
    return current
  }
  const send: ApiClient['send'] = async (method, path, body, headers) =>
    service.call(await token(), method, path, body, headers)
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
    send,
    token,
  }
}

import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Scope } from '../scope.ts'
import { startHttp, type Target } from '../servers/targets.ts'

/** All that a target was sent in one request. */
export type Arrival = { method: string; path: string; headers: Record<string, string>; body: string }

/** Keeps every request before it is answered; `arrivals` is emptied by whoever has read it. */
export async function startRecording(
  scope: Scope,
  answer: RequestListener,
  host?: string,
  port?: number,
): Promise<Target & { arrivals: Arrival[] }> {
  const arrivals: Arrival[] = []
  const target = await startHttp(scope, recordingIn(arrivals, answer), host, port)
  return { ...target, arrivals }
}

/** The listener of a target that keeps its requests in `arrivals`. */
export function recordingIn(arrivals: Arrival[], answer: RequestListener): RequestListener {
  return async (request, response) => {
    const { method = '', url: path = '', rawHeaders } = request
    const headers: Record<string, string> = {}
    for (let index = 0; index + 1 < rawHeaders.length; index += 2)
      headers[(rawHeaders[index] as string).toLowerCase()] = rawHeaders[index + 1] as string
    arrivals.push({ method, path, headers, body: await text(request) })
    answer(request, response)
  }
}

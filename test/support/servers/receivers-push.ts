import { type Answer, replyJson } from './receivers.ts'

/** Checks and answers like an ntfy server, for the one topic and access token it knows. */
export function likeNtfy(topic: string, token: string): Answer {
  return (response, { method, path, headers, body }) => {
    const refuse = (http: number, code: number, error: string) =>
      replyJson(response, http, { code, http, error })
    if (method !== 'POST' || path !== '/') return refuse(404, 40401, 'page not found')
    if (headers.authorization !== `Bearer ${token}`) return refuse(401, 40101, 'unauthorized')
    const sent = JSON.parse(body)
    if (sent.topic !== topic) return refuse(403, 40301, 'forbidden')
    if (![1, 2, 3, 4, 5].includes(sent.priority)) return refuse(400, 40007, 'invalid priority parameter')
    const actions: { action: string; label: string; url: string }[] = sent.actions ?? []
    const areValid = actions.every(
      ({ action, label, url }) => action === 'view' && label && URL.canParse(url),
    )
    if (!areValid || actions.length > 3) return refuse(400, 40018, 'invalid request: actions invalid')
    // The real one would send what is longer as a file.
    if (Buffer.byteLength(sent.message) > 4_096) return refuse(413, 41301, 'attachment too large')
    replyJson(response, 200, { id: 'xE73Iyuabi', time: 1673542291, event: 'message', ...sent })
  }
}

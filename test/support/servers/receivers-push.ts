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
    if ([...(sent.title ?? '')].length > 250) return refuse(400, 40042, 'title too long')
    // The real one would send what is longer as a file.
    if (Buffer.byteLength(sent.message) > 4_096) return refuse(413, 41301, 'attachment too large')
    replyJson(response, 200, { id: 'xE73Iyuabi', time: 1673542291, event: 'message', ...sent })
  }
}

/** Checks and answers like a Gotify server that knows the token of one application. */
export function likeGotify(token: string): Answer {
  return (response, { method, path, headers, body }) => {
    const refuse = (errorCode: number, error: string, errorDescription: string) =>
      replyJson(response, errorCode, { error, errorCode, errorDescription })
    if (method !== 'POST' || path !== '/message') return refuse(404, 'Not Found', 'page not found')
    if (headers['x-gotify-key'] !== token) {
      const missing = 'you need to provide a valid access token or user credentials to access this api'
      return refuse(401, 'Unauthorized', missing)
    }
    // Extras are read from JSON alone.
    if (headers['content-type'] !== 'application/json') return refuse(400, 'Bad Request', 'no JSON')
    const { message, title, priority, extras } = JSON.parse(body)
    if (!message) return refuse(400, 'Bad Request', "Field 'message' is required")
    // A database such as MySQL keeps no more of it.
    if (Buffer.byteLength(message) > 65_535) return refuse(500, 'Internal Server Error', 'Data too long')
    if (!Number.isInteger(priority)) return refuse(400, 'Bad Request', 'cannot unmarshal priority')
    replyJson(response, 200, { id: 25, appid: 5, message, title, priority, extras, date: '2026-11-21' })
  }
}

/** Checks and answers like the API of Pushover, for one application and user. */
export function likePushover(token: string, user: string): Answer {
  return (response, { path, headers, body }) => {
    const refuse = (...errors: string[]) => replyJson(response, 400, { errors, status: 0, request: 'r-1' })
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') return refuse('no form')
    const form = new URLSearchParams(body)
    if (form.get('token') !== token) return refuse('application token is invalid')
    if (/^\/1\/receipts\/cancel_by_tag\/[^/]+\.json$/.test(path)) {
      return replyJson(response, 200, { canceled: 1, status: 1, request: 'r-2' })
    }
    if (path !== '/1/messages.json') return response.writeHead(404).end()
    if (form.get('user') !== user) return refuse('user identifier is invalid')
    const text = (name: string) => form.get(name) ?? ''
    const number = (name: string) => Number(text(name))
    if (text('message') === '') return refuse('message cannot be blank')
    const limits = { message: 1_024, title: 250, url: 512, url_title: 100 }
    for (const [name, limit] of Object.entries(limits)) {
      if ([...text(name)].length > limit) return refuse(`${name} is too long`)
    }
    if (text('priority') !== '2') return replyJson(response, 200, { status: 1, request: 'r-3' })
    if (!(number('retry') >= 30)) return refuse('retry must be at least 30 seconds')
    if (!(number('expire') > 0 && number('expire') <= 10_800)) return refuse('expire must be at most 10800')
    replyJson(response, 200, { receipt: 'rLqVuqTRh62UzxtmqiaLzQmVcPgiCy', status: 1, request: 'r-3' })
  }
}

/** Checks and answers like PagerDuty's Events API v2, for one integration; remembers which incidents are open. */
export function likePagerDuty(routingKey: string, open = new Set<string>()): Answer {
  return (response, { path, headers, bytes, body }) => {
    const refuse = (...errors: string[]) =>
      replyJson(response, 400, { status: 'invalid event', message: 'Event object is invalid', errors })
    if (path !== '/v2/enqueue') return response.writeHead(404).end()
    if (headers['content-type'] !== 'application/json') return refuse('JSON cannot be parsed')
    if (bytes.length > 512 * 1_024) return replyJson(response, 413, { message: 'too large' })
    const { routing_key, event_action, dedup_key, payload, links = [] } = JSON.parse(body)
    if (routing_key?.length !== 32)
      return refuse("Length of 'routing_key' is incorrect (should be 32 characters)")
    if (routing_key !== routingKey) return refuse('Invalid routing key')
    if (!['trigger', 'acknowledge', 'resolve'].includes(event_action))
      return refuse("'event_action' is invalid")
    if (!dedup_key || dedup_key.length > 255) return refuse("'dedup_key' is missing or too long")
    if (event_action === 'trigger') {
      const missing = ['summary', 'source', 'severity'].filter((name) => !payload?.[name])
      if (missing.length > 0) return refuse(...missing.map((name) => `'payload.${name}' is missing or blank`))
      if (payload.summary.length > 1_024) return refuse("'payload.summary' is too long")
      if (!['critical', 'error', 'warning', 'info'].includes(payload.severity)) {
        return refuse("'payload.severity' is invalid (must be one of critical, warning, error or info)")
      }
      if (links.some(({ href }: { href: string }) => !URL.canParse(href))) return refuse("'href' is no URL")
      open.add(dedup_key)
    }
    if (event_action === 'resolve') open.delete(dedup_key)
    replyJson(response, 202, { status: 'success', message: 'Event processed', dedup_key })
  }
}

export type TwilioAccount = { account_sid: string; auth_token: string; from: string; to: string }

/** Checks and answers like Twilio's REST API, for one account with one number, which may write to one. */
export function likeTwilio({ account_sid, auth_token, from, to }: TwilioAccount): Answer {
  const credentials = Buffer.from(`${account_sid}:${auth_token}`).toString('base64')
  return (response, { path, headers, body }) => {
    const refuse = (status: number, code: number, message: string) =>
      replyJson(response, status, {
        code,
        message,
        more_info: `https://www.twilio.com/docs/errors/${code}`,
        status,
      })
    if (headers.authorization !== `Basic ${credentials}`) return refuse(401, 20003, 'Authenticate')
    if (path !== `/2010-04-01/Accounts/${account_sid}/Messages.json`) {
      return refuse(404, 20404, 'The requested resource was not found')
    }
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') {
      return refuse(415, 20415, 'Unsupported media type')
    }
    const form = new URLSearchParams(body)
    const text = form.get('Body') ?? ''
    if (!form.has('To')) return refuse(400, 21604, "A 'To' phone number is required.")
    if (form.get('To') !== to) return refuse(400, 21211, `Invalid 'To' Phone Number: ${form.get('To')}`)
    if (!form.has('From') && !form.has('MessagingServiceSid')) {
      return refuse(400, 21603, "A 'From' phone number is required.")
    }
    if ((form.get('From') ?? form.get('MessagingServiceSid')) !== from) {
      return refuse(400, 21606, "The 'From' phone number is not a valid message-capable number")
    }
    if (text === '') return refuse(400, 21602, 'Message body is required.')
    if (text.length > 1_600) return refuse(400, 21617, 'The message body exceeds the 1600 character limit')
    replyJson(response, 201, { sid: 'SM1234', status: 'queued', body: text, from, to, error_code: null })
  }
}

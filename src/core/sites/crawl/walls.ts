/** Answers to robots are told from answers to people by headers that only walls send, and codes that only walls use. */

type Headers = Record<string, string | undefined>

/**
 * Codes that say nothing of what a person would see. 402: it costs something. 406: rules of ModSecurity and others; nobody
 * refuses `Accept: *` otherwise. 412, 417, 418, 419, 430, 456 and 999 are known of walls alone, for a request without conditions.
 * 426 and 505: the server wants a version of HTTP that browsers speak and we do not. 511: a network wants a sign-in.
 */
const CODES = new Set([401, 402, 403, 406, 407, 412, 417, 418, 419, 426, 430, 451, 456, 505, 511, 999])

/** Headers of answers that ask for proof of a browser, or refuse; a proxy that lets pass sends others, or other values. */
const HEADERS: Record<string, RegExp> = {
  'cf-mitigated': /./,
  'x-amzn-waf-action': /./,
  'x-vercel-mitigated': /./,
  'x-vercel-challenge-token': /./,
  'sg-captcha': /./,
  'x-dd-b': /./,
  'x-datadome-cid': /./,
  'x-datadome': /^(?!protected$)./i,
  'x-px-block': /./,
  'x-px-blocked': /./,
  'x-kpsdk-ct': /./,
  'x-kasada': /./,
  'x-kasada-challenge': /./,
  'x-sucuri-block': /./,
  'x-distil-cs': /./,
  'x-captcha': /./,
  server: /^(?:imunify360-webshield|ddos-guard$)/i,
}
/** Servers whose 503 asks for patience, or for proof of a browser. */
const PATIENT = /cloudflare|ddos-guard/i

/** Networks that answer crawlers as if every address of theirs were a mistake: their 404 and 410 alone are believed. */
const SOCIAL =
  /(?:^|\.)(?:(?:facebook|fb|messenger|instagram|threads|twitter|x|linkedin|tiktok|reddit|quora|snapchat|xing|vk|weibo|douban|zhihu)\.com|threads\.net|vk\.ru|pinterest\.(?:com|[a-z]{2}|co\.uk|com\.au))$/i
const GONE = new Set([404, 410])

/** Whether an answer, to a GET, is one for robots. `host`: of the address where redirects ended. */
export function isWall(statusCode: number, headers: Headers, host: string): boolean {
  const isPlain = statusCode >= 200 && statusCode < 300 && statusCode !== 202
  // Page and wall may share a proxy: what is there is there, and what is gone is gone.
  if (!isPlain && !isGone(statusCode, headers) && hasHeader(headers)) return true
  if (isPlain || statusCode === 202) return false
  if (CODES.has(statusCode)) return true
  if (statusCode === 503 && (headers['retry-after'] !== undefined || PATIENT.test(headers.server ?? '')))
    return true
  return SOCIAL.test(host) && statusCode >= 400 && statusCode < 500 && !GONE.has(statusCode)
}

/** Cloudflare says of each answer of a challenge that it is one, whatever its code. */
function isGone(statusCode: number, headers: Headers): boolean {
  return GONE.has(statusCode) && headers['cf-mitigated'] === undefined
}

function hasHeader(headers: Headers): boolean {
  return Object.entries(HEADERS).some(([name, value]) => value.test(headers[name] ?? ''))
}

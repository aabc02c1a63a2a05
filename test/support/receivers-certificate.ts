import { generateKeyPairSync, sign } from 'node:crypto'

const DAY_MS = 86_400_000
const ECDSA_WITH_SHA256 = sequence(hex('06082a8648ce3d040302'))
const COMMON_NAME = hex('0603550403')
const BASIC_CONSTRAINTS = hex('0603551d13')
const SUBJECT_ALT_NAME = hex('0603551d11')
const TRUE = hex('0101ff')

/** PEM texts, in the shape TLS servers take them. */
export type ReceiverCertificate = { key: string; cert: string }

/** A certificate of its own authority (RFC 5280) for `localhost` and 127.0.0.1, valid today. */
export function receiverCertificate(): ReceiverCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('localhost')))))
  const authority = sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE)))
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(Date.now() - DAY_MS), utcTime(Date.now() + 30 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(authority, sequence(SUBJECT_ALT_NAME, der(0x04, names)))),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]))
  const certificate = sequence(content, ECDSA_WITH_SHA256, signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

/** One value in DER: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '')
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** A passkey in software (WebAuthn, ES256), and what the browser around it adds. */
export type Authenticator = {
  register(options: { challenge: string; rp: { id?: string } }): object
  signIn(options: { challenge: string; rpId?: string }, changes?: Partial<Manner>): object
}

/** How it behaves; each part can be made wrong. */
export type Manner = { origin: string; isVerified: boolean; counter: number; key: KeyObject }

export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0

  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    register({ challenge, rp }) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const flags = USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL
      const authData = Buffer.concat([
        dataOf(rp.id ?? '', flags, counter),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ])
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([authData.length]),
        authData,
      ])
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge, origin),
        attestationObject: attestationObject.toString('base64url'),
        // The second is nothing that anybody could keep.
        transports: ['internal', 'nothing\0known'],
      })
    },
    signIn({ challenge, rpId = '' }, changes = {}) {
      const manner = { origin, isVerified: true, counter: ++counter, key: privateKey, ...changes }
      const flags = USER_PRESENT | (manner.isVerified ? USER_VERIFIED : 0)
      const data = dataOf(rpId, flags, manner.counter)
      const clientDataJSON = clientData('webauthn.get', challenge, manner.origin)
      const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return credential({
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(manner.key).toString('base64url'),
      })
    },
  }
}

function dataOf(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count])
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

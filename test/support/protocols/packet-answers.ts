import { createHash } from 'node:crypto'
import * as ber from '../../../src/probes/packets/ber.ts'
import { Cursor } from '../../../src/probes/packets/cursor.ts'

/** The answer of a server to a packet; null is silence. */
export type PacketAnswer = (packet: Buffer) => Buffer | null

const EPOCH_MS = 2_208_988_800_000

type Time = {
  offsetMs?: number
  stratum?: number
  leap?: number
  reference?: string | Buffer
  dispersionMs?: number
}

/** A time server (RFC 5905). */
export function tellTime({
  offsetMs = 0,
  stratum = 2,
  leap = 0,
  reference = Buffer.from([192, 0, 2, 1]),
  dispersionMs = 3,
}: Time = {}): PacketAnswer {
  return (packet) => {
    const answer = Buffer.alloc(48)
    answer[0] = (leap << 6) | (4 << 3) | 4
    answer[1] = stratum
    answer.writeUInt32BE(Math.round((dispersionMs / 1_000) * 2 ** 16), 8)
    Buffer.from(reference).copy(answer, 12)
    packet.copy(answer, 24, 40, 48)
    const nowMs = Date.now() + offsetMs + EPOCH_MS
    for (const at of [32, 40]) {
      answer.writeUInt32BE(Math.floor(nowMs / 1_000) % 2 ** 32, at)
      answer.writeUInt32BE(Math.floor(((nowMs % 1_000) / 1_000) * 2 ** 32), at + 4)
    }
    return answer
  }
}

type Agent = { community?: string; value?: Buffer; error?: number }

/** An agent of SNMP with one community, which is silent to others. */
export function beAgent({
  community = 'public',
  value = ber.encode(ber.TAGS.octets, 'a switch'),
  error = 0,
}: Agent = {}): PacketAnswer {
  return (packet) => {
    const message = ber.enter(new Cursor(packet))
    const version = ber.expect(message, ber.TAGS.integer)
    if (ber.expect(message, ber.TAGS.octets).toString() !== community) return null
    const question = ber.enter(message, 0xa0)
    const id = ber.expect(question, ber.TAGS.integer)
    ber.expect(question, ber.TAGS.integer)
    ber.expect(question, ber.TAGS.integer)
    const oid = ber.expect(ber.enter(ber.enter(question)), ber.TAGS.oid)
    return ber.encode(
      ber.TAGS.sequence,
      ber.encode(ber.TAGS.integer, version),
      ber.encode(ber.TAGS.octets, community),
      ber.encode(
        0xa2,
        ber.encode(ber.TAGS.integer, id),
        ber.encodeInteger(error),
        ber.encodeInteger(error === 0 ? 0 : 1),
        ber.encode(ber.TAGS.sequence, ber.encode(ber.TAGS.sequence, ber.encode(ber.TAGS.oid, oid), value)),
      ),
    )
  }
}

/** A server of RADIUS that knows one user. It signs its answers with the secret. */
export function beRadius({
  secret,
  name,
  password,
}: Record<'secret' | 'name' | 'password', string>): PacketAnswer {
  return (packet) => {
    const authenticator = packet.subarray(4, 20)
    const attributes = new Map<number, Buffer>()
    for (let at = 20; at < packet.length; at += packet[at + 1] ?? packet.length)
      attributes.set(packet[at] ?? 0, packet.subarray(at + 2, at + (packet[at + 1] ?? 2)))
    const mask = createHash('md5').update(secret).update(authenticator).digest()
    const given = Buffer.from(
      (attributes.get(2) ?? Buffer.alloc(0)).map((byte, at) => byte ^ (mask[at] ?? 0)),
    )
    const isRight =
      attributes.get(1)?.toString() === name && given.toString().replace(/\0+$/, '') === password
    const head = Buffer.from([isRight ? 2 : 3, packet[1] ?? 0, 0, 20])
    const signature = createHash('md5').update(head).update(authenticator).update(secret).digest()
    return Buffer.concat([head, signature])
  }
}

/** A server of SIP that gives every question this status. */
export function beSip(status = '200 OK'): PacketAnswer {
  return (packet) => Buffer.from(sipAnswerTo(packet.toString(), status))
}

export function sipAnswerTo(request: string, status: string): string {
  const kept = request.split('\r\n').filter((line) => /^(via|from|to|call-id|cseq):/i.test(line))
  return [`SIP/2.0 ${status}`, ...kept, 'Content-Length: 0', '', ''].join('\r\n')
}

const CHALLENGE = Buffer.from([1, 2, 3, 4])

/** A game server of Valve, which wants its challenge back. */
export const beSourceServer: PacketAnswer = (packet) => {
  const head = Buffer.from([0xff, 0xff, 0xff, 0xff])
  if (!packet.subarray(-4).equals(CHALLENGE)) return Buffer.concat([head, Buffer.from('A'), CHALLENGE])
  const texts = ['Best server', 'de_dust2', 'cstrike', 'Counter-Strike'].map((text) => `${text}\0`).join('')
  return Buffer.concat([head, Buffer.from([0x49, 17]), Buffer.from(texts), Buffer.from([240, 0, 7, 24, 0])])
}

/** Servers of other queries, as their makers' answer. */
export const GAME_SERVERS: Record<string, PacketAnswer> = {
  css: beSourceServer,
  q3a: (packet) =>
    packet.includes('getstatus')
      ? Buffer.from(
          '\xff\xff\xff\xffstatusResponse\n\\sv_hostname\\Best server\\mapname\\de_dust2\\sv_maxclients\\24\n0 50 "a"\n1 9 "b"\n',
          'latin1',
        )
      : null,
  quake2: () =>
    Buffer.from(
      '\xff\xff\xff\xffprint\n\\hostname\\Best server\\mapname\\de_dust2\\maxclients\\24\n0 50 "a"\n1 9 "b"\n',
      'latin1',
    ),
  quake: () =>
    Buffer.from(
      '\xff\xff\xff\xffn\\hostname\\Best server\\map\\de_dust2\\maxclients\\24\n1 0 5 50 "a" "" 0 0\n2 0 5 9 "b" "" 0 0\n\0',
      'latin1',
    ),
  unrealtournament: () =>
    Buffer.from(
      '\\gamename\\ut\\hostname\\Best server\\mapname\\de_dust2\\numplayers\\2\\maxplayers\\24\\queryid\\1.1\\final\\',
    ),
  halo: (packet) =>
    Buffer.concat([
      Buffer.from([0]),
      packet.subarray(3, 7),
      Buffer.from('hostname\0Best server\0mapname\0de_dust2\0numplayers\0' + '2\0maxplayers\0' + '24\0\0'),
    ]),
  battlefield2: (packet) =>
    packet[2] === 9
      ? Buffer.concat([Buffer.from([9]), packet.subarray(3, 7), Buffer.from('-123456\0')])
      : packet.readInt32BE(7) === -123456
        ? Buffer.concat([
            Buffer.from([0]),
            packet.subarray(3, 7),
            Buffer.from(
              'splitnum\0\x80\0hostname\0Best server\0mapname\0de_dust2\0numplayers\0' +
                '2\0maxplayers\0' +
                '24\0\0',
              'latin1',
            ),
          ])
        : null,
  killingfloor: () => {
    const text = (one: string) => Buffer.from(`${String.fromCharCode(one.length + 1)}${one}\0`, 'latin1')
    const numbers = Buffer.alloc(8)
    numbers.writeUInt32LE(2)
    numbers.writeUInt32LE(24, 4)
    return Buffer.concat([
      ...[Buffer.from([0x80, 0, 0, 0, 0]), Buffer.alloc(4), text(''), Buffer.alloc(8)],
      ...[text('Best server'), text('de_dust2'), text('kf'), numbers],
    ])
  },
  mbe: (packet) => {
    const text = Buffer.from('MCPE;Best server;527;1.19;2;24;1;de_dust2;Survival;1;19132;19133;')
    const length = Buffer.from([text.length >> 8, text.length & 0xff])
    return Buffer.concat([
      ...[Buffer.from([0x1c]), packet.subarray(1, 9), Buffer.alloc(8)],
      ...[packet.subarray(9, 25), length, text],
    ])
  },
}

/** A server of Minecraft's Java edition: what it says to a question for its status. */
export function minecraftStatus(status: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(status))
  const number = (value: number) => Buffer.from(value < 128 ? [value] : [(value % 128) | 128, value >> 7])
  const body = Buffer.concat([number(0), number(text.length), text])
  return Buffer.concat([number(body.length), body])
}

import { type Said, said } from '../../language/said.ts'

/** Commands that only read, and do not stop a server for long. Behind some of them a second word says more. */
const READING: Record<string, readonly string[] | null> = {
  ...ofAny(['ping', 'echo', 'time', 'lastsave', 'dbsize', 'info', 'role', 'randomkey']),
  ...ofAny([
    'get',
    'mget',
    'getrange',
    'strlen',
    'exists',
    'type',
    'ttl',
    'pttl',
    'expiretime',
    'pexpiretime',
  ]),
  ...ofAny(['scan', 'getbit', 'bitcount', 'bitpos', 'llen', 'lrange', 'lindex', 'lpos']),
  ...ofAny(['scard', 'sismember', 'smismember', 'smembers', 'srandmember', 'sintercard', 'sscan']),
  ...ofAny(['hget', 'hmget', 'hgetall', 'hlen', 'hexists', 'hkeys', 'hvals', 'hstrlen', 'hscan']),
  ...ofAny([
    'zcard',
    'zscore',
    'zmscore',
    'zcount',
    'zlexcount',
    'zrange',
    'zrevrange',
    'zrangebyscore',
    'zrangebylex',
  ]),
  ...ofAny([
    'zrevrangebyscore',
    'zrevrangebylex',
    'zrank',
    'zrevrank',
    'zscan',
    'geopos',
    'geodist',
    'geohash',
  ]),
  ...ofAny(['xlen', 'xrange', 'xrevrange', 'xpending']),
  xinfo: ['stream', 'groups', 'consumers'],
  object: ['encoding', 'freq', 'idletime', 'refcount'],
  memory: ['usage', 'stats'],
  cluster: ['info', 'nodes', 'slots', 'shards', 'myid', 'countkeysinslot', 'keyslot'],
  config: ['get'],
  acl: ['whoami'],
}

function ofAny(commands: readonly string[]): Record<string, null> {
  return Object.fromEntries(commands.map((command) => [command, null]))
}

/** A word of a shell: parts in quotes of either kind, escaped characters, and plain ones. */
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gsu
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\])/gsu

/** The words of a command as a shell splits them; null where a quote has no end. */
export function shellWords(command: string): string[] | null {
  const isWhole = command.replace(WORD, '').trim() === ''
  if (!isWhole) return null
  return Array.from(command.matchAll(WORD), ([word]) =>
    word.replace(PART, (_, single, double, escaped, plain) =>
      double === undefined ? (single ?? escaped ?? plain) : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  )
}

/** Why a check cannot ask this; null if it can. */
export function commandFault(command: string): Said | null {
  const words = shellWords(command)
  if (words === null) return said('must end each quote that it begins')
  const [first = '', second = ''] = words.map((word) => word.toLowerCase())
  const seconds = Object.hasOwn(READING, first) ? READING[first] : undefined
  const reads = seconds === null || seconds?.includes(second) === true
  return reads ? null : said('must be one command that only reads, such as GET, LLEN or INFO')
}

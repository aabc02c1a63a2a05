import { createRequire } from 'node:module'
import pino from 'pino'
import { shownTexts } from './core/language/hidden-characters.ts'
import { withSourcePlaces } from './source-places.ts'

export type Log = pino.Logger

/** Structured JSON on stdout; readable text on a terminal. Redacts secrets wherever they appear. */
export function createLog(level: string, terminal: boolean, output?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serialized },
    formatters: { level: (label) => ({ level: label }), log: shownTexts },
    redact: {
      paths: [
        'authorization',
        'password',
        'token',
        'secret',
        '*.authorization',
        '*.password',
        '*.token',
        '*.secret',
      ],
      censor: '********',
    },
  }
  if (!terminal) return output ? pino(options, output) : pino(options)
  // Loaded for terminals only: everywhere else a start would wait for it.
  const pretty: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty')
  return pino(
    options,
    pretty({ sync: true, colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }),
  )
}

/** Returns a function that logs an error with the part that met it, without any further data. */
export function troubleOf(log: Log, part: string) {
  return (error: unknown) =>
    log.error({ part, err: error }, error instanceof Error ? error.message : String(error))
}

function serialized(error: Error): pino.SerializedError {
  const said = pino.stdSerializers.err(error)
  if (typeof said?.stack === 'string') said.stack = withSourcePlaces(said.stack)
  return said
}

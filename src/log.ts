import pino from 'pino'
import pretty from 'pino-pretty'

export type Log = pino.Logger

/** Structured JSON on stdout; readable text where a person watches. Secrets are redacted wherever they turn up. */
export function createLog(level: string, terminal: boolean, output?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
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
  return pino(
    options,
    pretty({ sync: true, colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }),
  )
}

/** Errors go to the log with the part that met them; never more of them than what happened. */
export function troubleOf(log: Log, part: string) {
  return (error: unknown) =>
    log.error({ part, err: error }, error instanceof Error ? error.message : String(error))
}

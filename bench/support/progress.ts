const began = performance.now()

/** Says on stderr what is under way and since when; standard output belongs to the table. */
export function progress(text: string): void {
  const seconds = Math.round((performance.now() - began) / 1_000)
  const line = `[${String(seconds).padStart(4)} s] ${text}`
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
}

export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

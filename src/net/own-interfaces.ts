import os from 'node:os'

const RECHECK_AFTER_MS = 10_000

/**
 * Gives what follows from the networks of this machine's interfaces (`192.0.2.7/24`), read at most every ten seconds. When the
 * system cannot say (reading needs a descriptor), what was known stays.
 */
export function readRegularly<Known>(
  monotonicMs: () => number,
  know: (cidrs: readonly string[]) => Known,
  readInterfaces: typeof os.networkInterfaces = os.networkInterfaces,
): () => Known {
  let known: Known | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (known === undefined || monotonicMs() - readAt >= RECHECK_AFTER_MS) {
      readAt = monotonicMs()
      const cidrs = read(readInterfaces)
      if (cidrs !== null || known === undefined) known = know(cidrs ?? [])
    }
    return known
  }
}

function read(readInterfaces: typeof os.networkInterfaces): string[] | null {
  try {
    const addresses = Object.values(readInterfaces()).flatMap((own) => own ?? [])
    return addresses.flatMap(({ cidr }) => cidr ?? [])
  } catch {
    return null
  }
}

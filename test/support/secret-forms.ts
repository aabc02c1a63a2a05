/** How a secret may stand in a text: as it is, and as URLs, JSON, hexadecimal and base64 at each of its three alignments write it. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const aligned = [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes])
    const whole = shifted.subarray(0, shifted.length - (shifted.length % 3))
    // The characters before this one also hold bits of what stands before the secret.
    const from = shift === 0 ? 0 : 4
    return [whole.toString('base64').slice(from), whole.toString('base64url').slice(from)]
  })
  const json = JSON.stringify(secret).slice(1, -1)
  const forms = [secret, json, encodeURIComponent(secret), bytes.toString('hex'), ...aligned]
  return [...new Set(forms.map((form) => form.toLowerCase()))]
}

/** The names of the secrets that occur in a text in any form. */
export function secretsIn(text: string, secrets: Record<string, string>): string[] {
  const searched = text.toLowerCase()
  return Object.keys(secrets).filter((name) =>
    formsOf(secrets[name] ?? '').some((form) => searched.includes(form)),
  )
}

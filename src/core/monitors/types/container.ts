import * as z from 'zod'

/** A detail that is not as it should be is none: the state alone decides, and others than Docker answer this API, too. */
const detail = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)
const text = detail(z.string())
const number = detail(z.number())
const flag = detail(z.boolean())

const Health = z.object({
  Status: text,
  FailingStreak: number,
  Log: detail(z.array(z.object({ ExitCode: number, Output: text }))),
})

/**
 * The part of the document about a container (Docker Engine API, `GET /containers/{id}/json`) that is read, and no more: its environment, command and
 * mounts may hold secrets, which no assertion may ask for and no cause repeat.
 */
const Inspected = z.object({
  Id: text,
  Name: text,
  Created: text,
  Image: text,
  Platform: text,
  RestartCount: number,
  State: z.object({
    Status: z.string().min(1),
    Running: flag,
    ExitCode: number,
    OOMKilled: flag,
    Error: text,
    StartedAt: text,
    FinishedAt: text,
    Health: detail(Health),
  }),
  Config: detail(z.object({ Image: text, Labels: detail(z.record(z.string(), z.string())) })),
})
export type InspectedContainer = z.infer<typeof Inspected>

const Refusal = z.object({ message: z.string() })
/** Docker: `No such container: web`. Podman: `no container with name or ID "web" found`. */
const NOT_THERE = /no (?:such )?container/i

/** Null for a text that is no such document. */
export function readContainer(text: string): InspectedContainer | null {
  return Inspected.safeParse(parsed(text)).data ?? null
}

/** The words of an answer that is a refusal, and whether they say that there is no such container; null for any other text. */
export function readRefusal(text: string): { words: string; saysMissing: boolean } | null {
  const words = Refusal.safeParse(parsed(text)).data?.message
  return words === undefined ? null : { words, saysMissing: NOT_THERE.test(words) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

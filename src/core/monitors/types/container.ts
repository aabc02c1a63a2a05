import * as z from 'zod'

/**
 * The part of the document about a container (Docker Engine API, `GET /containers/{id}/json`) that is read, and no more: its environment, command and
 * mounts may hold secrets, which no assertion may ask for and no cause repeat.
 */
const Inspected = z.object({
  Id: z.string().optional(),
  Name: z.string().optional(),
  Created: z.string().optional(),
  Image: z.string().optional(),
  Platform: z.string().optional(),
  RestartCount: z.number().optional(),
  State: z.object({
    Status: z.string(),
    Running: z.boolean().optional(),
    ExitCode: z.number().optional(),
    OOMKilled: z.boolean().optional(),
    Error: z.string().optional(),
    StartedAt: z.string().optional(),
    FinishedAt: z.string().optional(),
    Health: z
      .object({
        Status: z.string().optional(),
        FailingStreak: z.number().optional(),
        Log: z.array(z.object({ ExitCode: z.number().optional(), Output: z.string().optional() })).nullish(),
      })
      .nullish(),
  }),
  Config: z
    .object({ Image: z.string().optional(), Labels: z.record(z.string(), z.string()).nullish() })
    .optional(),
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

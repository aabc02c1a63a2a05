import type * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import type { Advice } from './advice.ts'

/** The form's texts for one key. */
export type KeyText = {
  label: string
  placeholder: string
  /** The words of a choice. */
  choices?: Readonly<Record<string, string>>
  hint?: string
  input?: { type: 'url' | 'email'; inputMode: 'url' | 'email'; autoComplete?: string }
}

/** The entry of a type of contact. */
type Kind<Shape extends z.ZodRawShape> = {
  /** The name in lists and forms. */
  word: string
  /** The name within a sentence. */
  wordInside: string
  /** One sentence that tells the type from the others, on its card in the form. */
  sentence: string
  /** A name from dashboard/parts/icons.ts. */
  icon: string
  /** The keys of the config; others are dropped. A key that is not `shown` is a secret. */
  config: z.ZodObject<Shape>
  texts: { [Key in keyof Shape]: KeyText }
  /** The key that says where alerts go. */
  destination: keyof Shape & string
  /** The names that other services use in their exports. Imports skip a type that has no name here. */
  importNames: Partial<Record<'healthchecks' | 'uptimerobot', readonly string[]>>
  /** A browser of one person: made there, and gone when the person leaves the team or the browser ends it. */
  isOfBrowser?: true
  /** A program takes the alerts, one subject a request: they are never put together. */
  isForPrograms?: true
  /** The receiver stops calling people once it hears that somebody has the incident. */
  takesAcknowledgements?: true
  /** The answers of its vendor that somebody can do something about. */
  advice: readonly Advice[]
  /** The request body in the documents, without its type. */
  example: { name: string; config: z.input<z.ZodObject<Shape>> }
}

/** Lets the type checker compare texts, destination and example with the keys of the config. */
export function entry<Shape extends z.ZodRawShape, const Icon extends string>(
  kind: Kind<Shape> & { icon: Icon },
) {
  return kind
}

/** The text of `VerifyTls`. */
export const VERIFY_TLS_TEXT: KeyText = {
  label: phrase('Verify the certificate'),
  placeholder: '',
  choices: { yes: phrase('Yes'), no: phrase('No: accept any certificate') },
  hint: phrase('Choose “No” only for your own servers whose certificate no authority has signed.'),
}

export const URL_INPUT = { type: 'url', inputMode: 'url' } as const

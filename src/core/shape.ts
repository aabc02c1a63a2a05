import * as z from 'zod'

type Shape = Record<string, z.ZodType>
type WithoutDefaults<S extends Shape> = {
  [Key in keyof S]: S[Key] extends z.ZodDefault<infer Inner> ? Inner : S[Key]
}

/** The same fields without defaults, for a PATCH, which leaves omitted fields unchanged. */
export function withoutSchemaDefaults<S extends Shape>(shape: S): WithoutDefaults<S> {
  const bare = Object.entries(shape).map(([key, schema]) => [
    key,
    schema instanceof z.ZodDefault ? schema.unwrap() : schema,
  ])
  return Object.fromEntries(bare) as WithoutDefaults<S>
}

/** The keys of a record that has exactly those of its type, such as the shape of a schema. */
export function keysOf<T extends object>(record: T): (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[]
}

type Picked<T, Key extends keyof T> = { [K in keyof Pick<T, Key>]: Exclude<T[K], undefined> }

/** The given keys of a record, in their order, without undefined values. */
export function pick<T extends object, Key extends keyof T>(record: T, keys: readonly Key[]): Picked<T, Key> {
  const found: Partial<T> = {}
  for (const key of keys) if (record[key] !== undefined) found[key] = record[key]
  return found as Picked<T, Key>
}

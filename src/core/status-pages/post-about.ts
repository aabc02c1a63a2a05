import * as z from 'zod'
import { chosenIds } from '../lists/parameter.ts'
import { ofEachField } from '../maintenance/subject-kind.ts'

/** The most subjects of a kind that an address names. */
export const MAX_ABOUT = 200

/** The subjects that a new post is about; all that are down where none is named. In a file of its own, for the dashboard. */
export const PostAbout = z.object(ofEachField('s', () => chosenIds(MAX_ABOUT)))
export type PostAbout = z.infer<typeof PostAbout>

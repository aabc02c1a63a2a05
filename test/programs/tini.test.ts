import { describeImage } from '../support/documents/image.ts'

describeImage('what the Dockerfile makes, with tini as its first process', (entryPoint) => entryPoint)

import type { Environment } from '../support/whole/footbridge.ts'

export type Person = 'ada' | 'ben' | 'cleo' | 'mallory'
export const PEOPLE: readonly Person[] = ['ada', 'ben', 'cleo', 'mallory']

/** A channel or a direct conversation, with a fact that is known nowhere else. */
export interface Room {
  readonly name: string
  readonly kind: 'public' | 'private' | 'direct'
  readonly members: readonly Person[]
  /** A word that occurs in nothing but the file that was dropped here. */
  readonly canary: string
  /** As the service knows it. */
  readonly id: string
}

export interface SaidFile {
  readonly name: string
  readonly text: string
}

export interface Saying {
  readonly text?: string
  readonly files?: readonly SaidFile[]
  /** What this answers: a message of any room. */
  readonly replyTo?: string
  readonly memo?: boolean
}

/** A chat service with rooms, seen by the people in it. The same on each service. */
export interface House {
  readonly service: 'slack' | 'discord'
  readonly env: Environment
  addRoom(name: string, kind: Room['kind'], members: readonly Person[], canary: string): Room
  /** A private thread in a room, where the service has such. */
  addClosedThread?(around: Room, name: string, members: readonly Person[], canary: string): Room
  /** As it is typed: the service's own link to the room. */
  link(room: Room): string
  /** A person as they are called in a message. */
  mention(person: Person): string
  /** Speaks to Footbridge; resolves nothing: what comes of it stands in the room. */
  say(person: Person, room: Room, saying: Saying): string
  edit(person: Person, room: Room, id: string, text: string): void
  press(person: Person, room: Room, label: string): void
  leave(person: Person, room: Room): void
  join(person: Person, room: Room): void
  publish(room: Room): void
  /** Everything of ours that people in this room see: texts, small print, folds, buttons, files and what is in them. */
  shown(room: Room): string
  close(): Promise<void>
}

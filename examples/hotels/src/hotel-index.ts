import {
  addEntries,
  badInput,
  putAll,
  sharedIndex,
  writeOf,
  type Database,
  type Entry,
  type IndexedList,
  type RowWriter,
} from 'murmuration/kit';
import { hotels, type HotelRow } from './tables';

/** The most words of a search. */
const MAX_WORDS = 5;

/** Hotels by the words of their names and addresses: the list has the highest id first. */
export const hotelIndex: IndexedList = {
  list: 'hotels',
  async termsOf(load, places) {
    const found = await Promise.all(places.map(({ id }) => load(hotels.get, { hotelId: id })));
    return found.map((hotel) => hotel && entryOf(hotel).terms);
  },
};

function entryOf({ hotelId, name, address }: HotelRow): Entry {
  return { rank: 0, id: hotelId, terms: wordsIn(`${name} ${address}`) };
}

/** Adds a hotel to the index, and then stores it: so a stored one is in the index, also after a kill in between. */
export async function addHotel(database: Database, bulk: () => RowWriter, hotel: HotelRow): Promise<void> {
  await addEntries(sharedIndex(database, hotelIndex), [entryOf(hotel)], async (additions) => {
    await putAll(bulk(), additions);
    await putAll(bulk(), [writeOf(hotels, hotel)]);
  });
}

/** The words that a text asks for. Throws `BAD_USER_INPUT` unless there are 1 to 5. */
export function searchedWords(text: string): string[] {
  const words = wordsIn(text);
  if (words.length === 0 || words.length > MAX_WORDS)
    throw badInput(`A search must have 1 to ${MAX_WORDS} words, but this one has ${words.length}.`);
  return words;
}

function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu))];
}

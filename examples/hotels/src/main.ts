import { programOf, runServer } from 'murmuration/kit';
import { hotelServer } from './server';

runServer(() => programOf(hotelServer, process.env));

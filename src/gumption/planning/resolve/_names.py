"""What people and models call the things of AI2-THOR, in our own words. Data only.

A name is compared without case, spaces, hyphens and plural; every type has its own name beside these.
"""

from __future__ import annotations

__all__ = ["NAMES"]

NAMES = {
    "AlarmClock": "alarm, clock, digital clock, bedside clock, table clock, desk clock, clock radio",
    "AluminumFoil": "aluminium foil, tin foil, tinfoil, foil, foil roll, kitchen foil",
    "Apple": "fruit, red delicious",
    "ArmChair": "easy chair, lounge chair, recliner, accent chair, club chair, single sofa, sofa chair",
    "BaseballBat": "bat, wooden bat",
    "BasketBall": "ball",
    "Bathtub": "bath tub, bath, tub, soaking tub",
    "BathtubBasin": "bathtub bottom, tub basin, bath basin",
    "Bed": "mattress, double bed, single bed, bedding, bedspread, bunk bed, king size bed, queen size bed",
    "Blinds": "blind, window blind, window shade, shades, roller blind, venetian blind, shutter",
    "Book": "notebook, novel, textbook, hardcover, hardback, paperback, diary, journal, bible, dictionary",
    "Boots": "boot, shoe, shoes, pair of boots, pair of shoes, footwear, rain boots, sneakers",
    "Bottle": "water bottle, drink bottle, beer bottle, soda bottle, plastic bottle, glass bottle, oil "
    "bottle",
    "Bowl": "soup bowl, salad bowl, cereal bowl, mixing bowl, fruit bowl",
    "Box": "carton, cardboard, package, parcel, storage box, moving box, packing box, cardboard carton",
    "Bread": "loaf, loaf of bread, bread loaf, baguette, whole bread",
    "ButterKnife": "table knife, dinner knife, butter spreader, dull knife",
    "CD": "compact disc, compact disk, disc, disk, dvd, cd disc, cd rom",
    "Cabinet": "cupboard, kitchen cabinet, kitchen cupboard, wall cabinet, base cabinet, cabinet door, "
    "cupboard door, storage cabinet, under sink cabinet, medicine cabinet, pantry, closet",
    "Candle": "candlestick, scented candle, tealight, wax candle, candle stick",
    "CellPhone": "phone, mobile, mobile phone, smartphone, smart phone, cellular phone, handphone, iphone, "
    "telephone, cellular, handset, cell, cellular telephone",
    "Chair": "dining chair, desk chair, office chair, kitchen chair, wooden chair, side chair, seat",
    "Cloth": "rag, washcloth, wash cloth, cleaning cloth, dishcloth, dish cloth, dish rag, cleaning rag, "
    "duster, wipe, face cloth, washrag, floor cloth, piece of cloth, fabric",
    "CoffeeMachine": "coffee maker, coffee brewer, espresso machine, espresso maker, coffeepot, coffee pot, "
    "coffee, brewer",
    "CoffeeTable": "cocktail table, tea table, center table, centre table, low table, living room table",
    "CounterTop": "counter, worktop, work top, kitchen counter, kitchen countertop, countertops, bench top, "
    "benchtop, worksurface, work surface, kitchen island, island, bar counter, kitchen bench, kitchen top, "
    "bathroom counter, vanity top, vanity counter, granite counter",
    "CreditCard": "card, bank card, debit card, visa card, payment card, charge card, id card",
    "Cup": "glass, drinking glass, water glass, drinking cup, tumbler, teacup, tea cup, wine glass, goblet, "
    "glass cup, paper cup, plastic cup, beaker",
    "Curtains": "curtain, drapes, drape, window curtain, drapery, window drapes",
    "Desk": "work desk, writing desk, computer desk, office desk, study desk, working desk, study table, "
    "computer table, desktop surface, desk table, work table, workstation",
    "DeskLamp": "table lamp, reading lamp, bedside lamp, desk light, table light, bedside light, study lamp, "
    "night lamp, nightstand lamp, reading light, bed lamp, night light, work lamp",
    "Desktop": "desktop computer, computer, pc, personal computer, desktop pc, monitor, computer monitor",
    "DiningTable": "dining room table, dinner table, kitchen table, breakfast table, eating table, dining "
    "desk, big table, main table",
    "DishSponge": "sponge, kitchen sponge, scrub sponge, scrubber sponge, cleaning sponge, dishwashing "
    "sponge, scouring pad, scourer, dish scrubber, washing sponge, bath sponge, loofah",
    "DogBed": "pet bed, dog basket, dog mat, dog cushion, cat bed",
    "Drawer": "desk drawer, dresser drawer, kitchen drawer, nightstand drawer, cabinet drawer, vanity "
    "drawer, drawer front, drawer interior",
    "Dresser": "chest of drawers, chest, bureau, drawer chest, drawer unit, commode chest, wardrobe, "
    "armoire, drawers chest, clothes dresser, tallboy, sideboard, credenza, buffet, chest drawers",
    "Dumbbell": "dumb bell, weight, barbell, hand weight, free weight",
    "Egg": "chicken egg, eggshell, raw egg, whole egg",
    "Faucet": "tap, water, water tap, water faucet, sink faucet, sink tap, kitchen faucet, kitchen tap, "
    "bathroom faucet, bathtub faucet, bath tap, bathtub tap, bath tub tap, tub tap, "
    "spigot, faucet handle, tap handle, running water, tap water, "
    "faucet knob, faucet tap, basin tap, basin faucet, hot tap, cold tap, water supply, mixer tap, spout",
    "Floor": "ground, flooring, wooden floor, tiles, floor tiles",
    "FloorLamp": "standing lamp, floor light, standing light, tall lamp, standard lamp, torchiere",
    "Footstool": "foot stool, footrest, foot rest, step stool",
    "Fork": "dinner fork, table fork, salad fork",
    "Fridge": "refrigerator, icebox, freezer, fridge freezer, refrigerator freezer, frig, cooler, fridge "
    "door, refrigerator door, fridge shelf, "
    "refrigerator shelf, freezer compartment",
    "GarbageBag": "trash bag, rubbish bag, bin bag, waste bag, refuse sack, bag of trash, bag of garbage, "
    "black bag, bin liner",
    "GarbageCan": "trash can, trash, trashcan, garbage, bin, waste bin, wastebin, dustbin, rubbish bin, "
    "rubbish, waste basket, wastebasket, trash bin, garbage bin, wastepaper basket, waste paper basket, "
    "waste can, recycling bin, recycle bin, litter bin, refuse bin, trash basket, waste container, trash "
    "container, garbage container, rubbish can, dust bin, bin can, waste, paper basket, garbage pail, trash "
    "bin can, trash barrel",
    "HandTowel": "small towel, face towel, guest towel, towel for hands",
    "HandTowelHolder": "hand towel rack, hand towel ring, hand towel bar, towel ring, hand towel hanger, "
    "hand towel rail, small towel holder, hand towel hook",
    "HousePlant": "plant, potted plant, pot plant, indoor plant, flower pot, flowerpot, planter, plant pot, "
    "houseplants, green plant, flower, flowers, bonsai, fern, succulent, cactus, bush, potted flower, leaves",
    "Kettle": "tea kettle, teakettle, teapot, tea pot, water kettle, electric kettle, water boiler",
    "KeyChain": "key, keys, key ring, keyring, bunch of keys, car key, house key, set of keys, key fob, door "
    "key",
    "Knife": "kitchen knife, chef knife, chefs knife, cooks knife, carving knife, cutting knife, paring "
    "knife, bread knife, sharp knife, vegetable knife, fruit knife, blade, cleaver, steak knife, chopping "
    "knife",
    "Ladle": "soup ladle, soup spoon ladle, serving ladle, dipper, soup scoop",
    "Laptop": "laptop computer, notebook computer, notebook pc, portable computer, macbook, chromebook, "
    "computer laptop, laptop pc",
    "LaundryHamper": "hamper, laundry basket, clothes basket, laundry bin, clothes hamper, washing basket, "
    "linen basket, laundry, dirty clothes basket, laundry box",
    "Lettuce": "lettuce head, head of lettuce, salad, iceberg, iceberg lettuce, cabbage, lettuces, greens",
    "LightSwitch": "light, switch, lights, wall switch, room light, ceiling light, overhead light, main "
    "light, light button, power switch, lightswitches, lighting, bathroom light, kitchen light, bedroom "
    "light, switch panel, lamp switch, light panel, ceiling lamp",
    "Microwave": "microwave oven, microwaves, micro wave, micro, microwave door, microwave tray, "
    "microwave plate",
    "Mirror": "bathroom mirror, wall mirror, looking glass, vanity mirror",
    "Mug": "coffee mug, tea mug, coffee cup, ceramic mug, cocoa mug",
    "Newspaper": "news paper, daily paper, magazine, tabloid, paper, gazette, folded newspaper",
    "Ottoman": "pouf, pouffe, hassock, ottoman stool, ottoman seat, ottoman footstool",
    "Painting": "picture, artwork, wall art, framed picture, picture frame, painted picture, wall picture, "
    "wall painting, framed painting, art, photo frame, canvas, framed art, photo, frame, portrait, "
    "photograph, drawing, art piece, wall decor",
    "Pan": "frying pan, frypan, fry pan, skillet, saute pan, griddle, cooking pan, wok",
    "PaperTowelRoll": "paper towel, kitchen roll, kitchen paper, roll of paper towel, paper roll, kitchen "
    "towel roll, paper towel holder, kitchen towel, towel roll, roll of kitchen paper",
    "Pen": "ballpoint, ballpoint pen, biro, ink pen, ball pen, fountain pen, felt pen",
    "Pencil": "lead pencil, graphite pencil, drawing pencil",
    "PepperShaker": "pepper, pepper pot, pepper mill, pepper grinder, pepper bottle, black pepper, pepper "
    "container, peppershake, pepper cellar, pepper jar",
    "Pillow": "cushion, throw pillow, bed pillow, sofa pillow, couch pillow, sofa cushion, headrest, couch "
    "cushion, back cushion, throw cushion, decorative pillow, bolster",
    "Plate": "dish, dinner plate, dinner dish, platter, saucer, serving plate, dishware, side plate, serving "
    "dish, plate dish",
    "Plunger": "toilet plunger, sink plunger, plumbers helper, drain plunger, force cup",
    "Poster": "wall poster, print, placard, movie poster",
    "Pot": "cooking pot, saucepan, sauce pan, stockpot, stock pot, stew pot, soup pot, cook pot, pasta pot, "
    "cauldron, boiling pot",
    "Potato": "spud, tater, russet potato, raw potato, baking potato",
    "RemoteControl": "remote, remote controller, tv remote, television remote, controller, clicker, tv "
    "remote control, television remote control, tv controller, tv control, remote device, control",
    "RoomDecor": "room decoration, decor, decoration",
    "Safe": "strongbox, strong box, safe box, safety box, lockbox, lock box, vault, safe deposit box, safe "
    "door, safebox, coffer, security box",
    "SaltShaker": "salt, salt cellar, salt pot, salt mill, salt bottle, salt container, salt grinder, salt "
    "jar",
    "ScrubBrush": "toilet brush, scrubbing brush, cleaning brush, brush, scrubber, toilet scrubber, bowl "
    "brush, toilet bowl brush, bathroom brush, toilet cleaning brush",
    "Shelf": "shelve, shelf board, wall shelf, shelf surface, ledge, open shelf, rack shelf",
    "ShelvingUnit": "bookcase, bookshelf, book shelf, shelving, shelf unit, rack, storage rack, shelves "
    "unit, bookshelves, book rack, shelf rack, storage shelf, shelving rack, metal rack, storage unit, book "
    "case",
    "ShowerCurtain": "bath curtain, bathtub curtain, tub curtain",
    "ShowerDoor": "shower glass door, glass shower door, shower cabin door, shower cubicle, shower stall, "
    "shower screen door, glass door, shower enclosure",
    "ShowerGlass": "shower glass panel, shower panel, shower screen, shower glass wall, glass panel, glass "
    "partition",
    "ShowerHead": "shower, shower faucet, shower tap, shower handle, shower sprayer, shower nozzle, rain "
    "shower, shower water, shower knob",
    "SideTable": "end table, nightstand, night stand, bedside table, night table, bed side table, bedside "
    "cabinet, small table, side desk, sidetable, corner table, console table, bedside stand, lamp table, "
    "accent table, bed table, console, bedside, bedside nightstand",
    "Sink": "kitchen sink, bathroom sink, wash basin, washbasin, washing basin, hand basin, wash bowl, "
    "washbowl, lavatory, washstand, sink bowl, sink counter, vanity sink, dish sink, washing sink, vanity, "
    "basin, wash sink",
    "SinkBasin": "sink bottom, sink interior, kitchen sink basin, inside sink, bottom of sink",
    "SoapBar": "bar of soap, soap, bar soap, soap cake, cake of soap, piece of soap, block of soap, toilet "
    "soap, bath soap, handsoap bar, soap block, soap piece",
    "SoapBottle": "dish soap, soap dispenser, liquid soap, hand soap, dishwashing liquid, dish liquid, "
    "washing up liquid, bottle of soap, hand wash, handwash, soap pump, dish detergent, detergent, shampoo, "
    "shampoo bottle, hand sanitizer, body wash, lotion, lotion bottle, detergent bottle, soap container, "
    "dish soap bottle, hand soap bottle, dishwashing soap, bottle of dish soap, shower gel, soap dispenser "
    "bottle, sanitizer, dishwasher liquid, washing liquid, liquid soap bottle, conditioner",
    "Sofa": "couch, settee, loveseat, love seat, sectional, sofa bed, sofabed, sofa couch, divan, futon, "
    "living room sofa, chesterfield",
    "Spatula": "turner, flipper, fish slice, cooking spatula, slotted turner, egg turner, scraper, pancake "
    "turner, spatular",
    "Spoon": "teaspoon, tablespoon, tea spoon, table spoon, soup spoon, dessert spoon",
    "SprayBottle": "spray, sprayer, cleaning spray, spray can, cleaner bottle, spray cleaner, cleaning "
    "bottle, cleaner, cleaner spray, spritzer, windex, disinfectant, disinfectant spray, bottle of spray, "
    "glass cleaner, water spray, cleaning spray bottle, trigger bottle, cleaning product, spraying bottle, "
    "bathroom cleaner, cleaning agent",
    "Statue": "sculpture, figurine, figure, bust, ornament, statuette, decorative statue, art object, idol, "
    "sculptural piece, carving, decorative figure",
    "Stool": "bar stool, barstool, kitchen stool, wooden stool, counter stool",
    "StoveBurner": "stove, burner, cooktop, hob, stovetop, stove top, cooker, gas stove, gas burner, cook "
    "top, hot plate, hotplate, electric stove, cooking stove, range, gas hob, gas cooker, stove plate, "
    "kitchen stove, electric burner, stove eye, stove surface, hob ring, heating element",
    "StoveKnob": "burner knob, stove control, knob, stove switch, stove dial, cooktop knob, hob knob, gas "
    "knob, stove button, burner control, burner switch, control knob, stove top knob, stove burner knob, "
    "cooker knob, range knob, oven knob, stove handle, burner dial",
    "TVStand": "television stand, tv table, tv cabinet, media console, tv console, entertainment center, "
    "entertainment unit, television cabinet, television table, tv unit, media unit, tv bench, media stand, "
    "entertainment centre, television console, tv shelf, tv rack, media cabinet, entertainment stand",
    "TableTopDecor": "table decor, table decoration, tabletop decoration, centerpiece, table ornament, "
    "tabletop ornament, table top decoration, centrepiece",
    "TeddyBear": "teddy, stuffed bear, toy bear, bear, plush bear, stuffed animal, plush toy, plushie, soft "
    "toy, stuffed toy, cuddly toy, plush, bear toy, plush teddy, teddy toy, toy",
    "Television": "tv, tv set, television set, telly, flatscreen, flat screen, flat screen tv, tv screen, "
    "television screen, smart tv, screen, flatscreen tv, lcd tv, hdtv",
    "TennisRacket": "racket, racquet, tennis racquet, tennis bat, tennis paddle",
    "TissueBox": "tissue, tissues, box of tissues, kleenex, kleenex box, tissue carton, facial tissue, box "
    "of tissue, facial tissue box, tissue container, tissue paper box, tissue pack, tissue dispenser",
    "Toaster": "bread toaster, toaster oven, toast machine, toast maker",
    "Toilet": "toilet bowl, commode, toilet seat, wc, toilet lid, loo, lavatory bowl, toilet tank, toilet "
    "cover, toilet basin, water closet",
    "ToiletPaper": "toilet roll, toilet paper roll, toilet tissue, roll of toilet paper, loo roll, bathroom "
    "tissue, bog roll, tp roll, toilet paper tissue, bath tissue, paper toilet roll",
    "ToiletPaperHanger": "toilet paper holder, toilet roll holder, toilet paper rack, toilet tissue holder, "
    "toilet paper dispenser, toilet paper stand, toilet paper roll holder, toilet roll hanger, toilet paper "
    "bar, paper holder, loo roll holder, toilet roll stand",
    "Tomato": "tomatos, cherry tomato, red tomato, ripe tomato, raw tomato",
    "Towel": "bath towel, bathtowel, shower towel, large towel, big towel, body towel, beach towel",
    "TowelHolder": "towel rack, towel bar, towel rail, towel hanger, towel hook, bath towel holder, bath "
    "towel rack, towel rod, towel stand, bath towel bar, bath towel hanger, towel shelf",
    "VacuumCleaner": "vacuum, hoover, vacuum hoover, vac, robot vacuum, upright vacuum",
    "Vase": "flower vase, flowervase, urn, decorative vase, amphora, flower jar, glass vase",
    "Watch": "wristwatch, wrist watch, smartwatch, smart watch, hand watch, timepiece",
    "WateringCan": "watering pot, watering jug, water can, watering pail, plant watering can, watercan, "
    "watering bucket, garden can",
    "Window": "window pane, windowpane, glass window, window glass, windows pane, window frame",
    "WineBottle": "wine, bottle of wine, red wine, white wine, wine bottles, champagne bottle, champagne, "
    "red wine bottle, liquor bottle, alcohol bottle, whiskey bottle",
}

from gumption.answers.choice import read_choice
